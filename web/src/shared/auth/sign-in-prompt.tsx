// Shown to visitors on pages that require sign-in: why to sign in, and a button.
import { Button } from '~/ui/button';
import { RangoliSun } from '~/ui/graphics/rangoli';
import { openLogin } from './overlay-store';

export function SignInPrompt({ text, hint }: { text: string; hint: string }) {
  return (
    <div className="relative mx-auto mb-8 flex max-w-2xl flex-col items-center overflow-hidden rounded-xl border border-line bg-surface px-6 pt-10 pb-12 text-center shadow-card">
      <RangoliSun className="w-44 text-turmeric" />
      <p className="mt-6 font-display text-heading">{text}</p>
      <p className="mt-2 max-w-md text-lg text-ink-soft">{hint}</p>
      <Button size="lg" className="mt-7" onClick={() => openLogin()}>
        Sign in to continue
      </Button>
    </div>
  );
}
