"""Rendering: what a judged draft looks like to programs and to people. Pure: text from values."""
