// Toasts. The library's defaults are those of the specification: at most 20; plain, error and custom 4 s, success 2 s,
// loading until it is replaced. app/layout/toaster.tsx renders them.
export { toast } from 'react-hot-toast/headless';
