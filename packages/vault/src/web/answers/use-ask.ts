import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../shell/services.ts';

/** Asks a question and opens the page of its answer. The server continues even if the user leaves that page. */
export function useAsk(): (question: string, follows?: string) => Promise<void> {
  const { api, client, queries } = useServices();
  const navigate = useNavigate();
  return async (question, follows) => {
    const answer = await api.answers.ask(question, follows);
    client.setQueryData(queries.answers.get(answer.id).queryKey, answer);
    // The other answers of this thread list the new one.
    void client.invalidateQueries({
      queryKey: ['answers'],
      predicate: ({ queryKey }) => queryKey[1] !== answer.id,
    });
    await navigate({ to: '/answers/$id', params: { id: answer.id } });
  };
}
