"""The command line: `laya "text" --preset triage`."""
