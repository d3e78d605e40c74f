"""Between the stages: a kit composed, laid on paper, boxed and written as PDFs."""
