"""How conditions look, in every figure and page."""

DECIMALS = 6  # of drawn numbers, so that the CSV beside a figure holds exactly what is drawn

COLOURS = {  # Okabe and Ito's, told apart by colour-blind readers; markers tell them apart in grey
    "self_consistency": "#666666",
    "debate": "#D55E00",
    "self_correction": "#009E73",
    "noise": "#0072B2",
}
MARKERS = {"self_consistency": "D", "debate": "o", "self_correction": "s", "noise": "^"}
