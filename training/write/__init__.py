"""Writers: programs that turn labelled texts, and texts they make up, into asked and answered questions."""
