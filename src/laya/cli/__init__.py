"""The command line: `laya "text" --preset triage`.

`app` has the commands and the exit codes; each command is a module of its name, and loads what it needs when it runs,
so that `laya --help` stays quick.
"""
