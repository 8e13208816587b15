// Toasts. The library keeps at most 20 and times them as the shop wants: plain, error and custom 4 s, success 2 s,
// loading until it is replaced. How they look is layout/toaster.tsx.
export { toast as notify } from 'react-hot-toast/headless';
