"""What happened: the values that sources collect and the redactor alone may open."""
