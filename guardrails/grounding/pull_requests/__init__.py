"""What a drafted pull-request record is held against beside what every record of decisions is."""
