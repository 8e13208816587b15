"""Everything rendered: materials, spices, vessels, grounds, light, compositions."""
