"""Files of many states: rows in, one record per row out, in constant memory.

`readers` and `items` turn a file into states, `run` answers them in chunks, `writers` write the records, and `resume`
goes on with an output that was cut. `strict` reads JSON.
"""
