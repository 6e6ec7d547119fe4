/** A path with an emphasized file name. It wraps at slashes instead of being truncated. */
export function PathLabel({ path }: { path: string }) {
  const parts = path.replace(/^vault\//, '').split('/');
  return (
    <span className="min-w-0 break-words">
      {parts.slice(0, -1).map((part, index) => (
        <span key={`${index}-${part}`} className="text-soft">
          {part}/<wbr />
        </span>
      ))}
      <span className="font-medium">{parts.at(-1)}</span>
    </span>
  );
}
