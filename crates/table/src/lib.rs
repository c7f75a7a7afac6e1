//! A round of play: commands become events, settlement, irregularities, views.
