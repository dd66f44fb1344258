"""From effective team sizes to the scaling law that predicts them."""
