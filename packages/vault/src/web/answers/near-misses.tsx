import { useQuery } from '@tanstack/react-query';
import { SearchResult } from '../search/search-result.tsx';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { contentWords } from './claim-terms.ts';

const maxNearMisses = 3;

/** The passages that are closest to a question that the vault does not answer; nothing if there are none. */
export function NearMisses({ question }: { question: string }) {
  const { api } = useServices();
  const text = useText().answer;
  const { data } = useQuery({
    queryKey: ['search', 'near', question],
    queryFn: ({ signal }) =>
      api.files.search({ queries: [question.slice(0, 500)], mode: 'fast', limit: maxNearMisses }, signal),
  });
  const sections = data?.sections.slice(0, maxNearMisses) ?? [];
  if (sections.length === 0) return null;
  return (
    <>
      <h3 className="text-small font-semibold text-soft">{text.nearMisses}</h3>
      <ol className="flex flex-col gap-2">
        {sections.map((section) => (
          <li key={`${section.path}:${section.lines.start}`}>
            <SearchResult section={section} words={contentWords(question)} who={undefined} />
          </li>
        ))}
      </ol>
    </>
  );
}
