"""The recipe that makes the embedded checkpoints: data, questions, reader training, calibration, packing."""
