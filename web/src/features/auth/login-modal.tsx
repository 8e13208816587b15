// The sign-in dialog, with Google as the only provider.
import { leaveTo } from '~/lib/router/layers';
import { signInUrl } from '~/shared/auth/session';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { toast } from '~/ui/feedback/toast';
import { BrandMark } from '~/ui/graphics/rangoli';

type Props = { open: boolean; pendingItem: string; onClose: () => void };

export default function LoginModal({ open, pendingItem, onClose }: Props) {
  const signIn = () => {
    toast.loading('Redirecting to Google login...');
    leaveTo(signInUrl(window.location.pathname + window.location.search, pendingItem));
  };
  return (
    <Dialog open={open} onClose={onClose} title="Welcome Back!" hideTitle width="26rem">
      <div className="flex flex-col items-center pt-4 text-center">
        <BrandMark className="size-18" />
        <p aria-hidden="true" className="mt-5 font-display text-title">
          Welcome Back!
        </p>
        <p className="mt-2 text-lg text-ink-soft">Login to your account</p>
        <Button variant="secondary" size="lg" className="mt-8 w-full" onClick={signIn} autoFocus>
          <GoogleMark />
          Sign in with Google
        </Button>
        <p className="mt-6 text-sm text-ink-soft">
          We keep your name, e-mail and picture to hold your cart, addresses and orders. Nothing is posted anywhere.
        </p>
      </div>
    </Dialog>
  );
}

// Google requires its own colours for its logo.
function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M22.600 12.250c0-.780-.070-1.530-.200-2.250H12v4.260h5.940a5.080 5.080 0 0 1-2.200 3.330v2.770h3.570c2.080-1.920 3.290-4.740 3.290-8.110z"
      />
      <path
        fill="#34a853"
        d="M12 23c2.970 0 5.460-.980 7.280-2.660l-3.570-2.770c-.980.660-2.230 1.060-3.710 1.060-2.860 0-5.290-1.930-6.160-4.530H2.180v2.840A11 11 0 0 0 12 23z"
      />
      <path fill="#fbbc05" d="M5.840 14.090a6.600 6.600 0 0 1 0-4.180V7.070H2.180a11 11 0 0 0 0 9.860z" />
      <path
        fill="#ea4335"
        d="M12 5.380c1.620 0 3.060.560 4.210 1.640l3.150-3.150A11 11 0 0 0 2.180 7.070l3.660 2.840C6.710 7.310 9.140 5.380 12 5.380z"
      />
    </svg>
  );
}
