// The Users and Team sections, which do not exist yet.

export function ComingSoon({ title }: { title: string }) {
  return (
    <section aria-labelledby="section-title">
      <h1 id="section-title" className="text-heading">
        {title}
      </h1>
      <p className="mt-6 rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center text-lg text-ink-soft">
        coming soon
      </p>
    </section>
  );
}
