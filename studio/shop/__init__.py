"""What the pictures are about: the catalogue and the site's own picture list."""
