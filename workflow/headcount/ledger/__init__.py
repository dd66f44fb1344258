"""What discussion repaired and what it destroyed: from answers round by round to transitions and their rates."""
