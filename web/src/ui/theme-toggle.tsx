// The switch between the light and the dark theme.
import { IconButton } from './button';
import { Icon } from './icons';
import { toggleTheme, useTheme } from './theme';

export function ThemeToggle() {
  const theme = useTheme();
  return (
    <IconButton label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'} onClick={toggleTheme}>
      <span className="dark:hidden">
        <Icon name="moon" />
      </span>
      <span className="hidden dark:block">
        <Icon name="sun" />
      </span>
    </IconButton>
  );
}
