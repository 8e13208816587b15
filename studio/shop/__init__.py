"""The subjects of the pictures: the catalogue and the site's picture list."""
