// The switch between the light and the dark theme.
import { toggleTheme, useTheme } from '~/lib/theme';
import { IconButton } from './button';
import { Icon } from './graphics/icons';

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
