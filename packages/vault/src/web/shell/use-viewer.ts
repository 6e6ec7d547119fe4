import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useServices } from './services.ts';

/** Who looks at the page. Until the status is loaded, everything is offered; the server decides in any case. */
export function useViewer() {
  const { data: status } = useQuery(useServices().queries.status);
  const isOwner = status?.role === 'owner';
  return {
    canWrite: status?.canWrite ?? true,
    isOwner,
    /** Only they change settings of the machine. */
    isOperator: isOwner && status?.member === null,
    member: status?.member ?? null,
  };
}

/** Tells all texts whether they address an invited member. */
export function useMemberTexts(): void {
  const { isMember } = useServices();
  const { member } = useViewer();
  useEffect(() => isMember.set(member !== null), [isMember, member]);
}

/** Content only for owners of the vault. */
export function OwnerOnly({ children }: { children: ReactNode }): ReactNode {
  return useViewer().isOwner ? children : null;
}

/** Content only for those who may change the vault. */
export function WriterOnly({ children }: { children: ReactNode }): ReactNode {
  return useViewer().canWrite ? children : null;
}
