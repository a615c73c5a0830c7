"""What is done with the replies of any drafter: kept, recorded, counted, limited."""
