// Tells that the shop searched for another spelling than the one that was typed.

export function CorrectedSearch({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p role="status" className="mb-6 text-[1.0625rem] text-ink-soft">
      Showing results for <b className="text-ink">“{text}”</b>
    </p>
  );
}
