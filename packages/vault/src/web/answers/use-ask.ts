import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../shell/services.ts';

/** Asks, and leads to where the answer comes. It goes on whether somebody stays there or not. */
export function useAsk(): (question: string, follows?: string) => Promise<void> {
  const { api, client, queries } = useServices();
  const navigate = useNavigate();
  return async (question, follows) => {
    const answer = await api.answers.ask(question, follows);
    client.setQueryData(queries.answers.get(answer.id).queryKey, answer);
    // Those it was asked on from have one more in their thread.
    void client.invalidateQueries({
      queryKey: ['answers'],
      predicate: ({ queryKey }) => queryKey[1] !== answer.id,
    });
    await navigate({ to: '/answers/$id', params: { id: answer.id } });
  };
}
