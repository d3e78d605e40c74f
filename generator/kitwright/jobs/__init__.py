"""What the commands have done, one file a job; each calls the pipeline and the rooms it needs."""
