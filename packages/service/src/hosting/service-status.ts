import type { Pool } from 'pg';
import { pluralize } from '../../../vault/src/vault/index.ts';
import { nodeIsAliveSql } from './choose-node.ts';

export type ServiceStatus = {
  vaults: number;
  nodes: NodeStatus[];
  /** The records of all vaults that are not in a snapshot yet. */
  records: number;
  /** The time of the oldest of them. */
  oldestRecordAt: Date | null;
  problems: ServiceProblem[];
};

/** What an operator should look at, and what to do next. */
type ServiceProblem = { message: string; hint: string };

type NodeStatus = {
  id: string;
  address: string;
  /** Empty for nodes that serve vaults without a group. */
  group: string;
  isAlive: boolean;
  isDraining: boolean;
  /** Seconds since the last heartbeat. */
  silentFor: number;
  vaults: number;
  /** 0 if the node opens vaults itself. */
  workers: number;
  /** How many workers have ended without being asked to since the node started. */
  replacedWorkers: number;
};

/** More than a vault should have: a snapshot is due after 1,000 by default. */
const maxWaitingRecords = 5_000;

/** Reads the nodes, how many vaults each of them serves, and what an operator should look at. */
export async function readServiceStatus(pool: Pool): Promise<ServiceStatus> {
  const { rows: nodes } = await pool.query<NodeStatus>(
    `select id, address, tenant_group as "group", ${nodeIsAliveSql} as "isAlive", is_draining as "isDraining",
       extract(epoch from clock_timestamp())::float - extract(epoch from seen_at)::float as "silentFor", workers,
       replaced_workers as "replacedWorkers", (select count(*)::int from vaults where owner = nodes.id) as vaults
     from nodes order by id`,
  );
  type Group = { group: string; vaults: number; unsealed: number };
  const { rows: groups } = await pool.query<Group>(
    `select tenant_group as "group", count(*)::int as vaults, count(*) filter (where access is null)::int as unsealed
     from vaults group by tenant_group order by tenant_group`,
  );
  const { rows } = await pool.query<{ records: number; oldest: Date | null; full: number }>(
    `select coalesce(sum(records), 0)::int as records, min(oldest) as oldest,
       count(*) filter (where records > $1)::int as full
     from vaults, lateral (
       select count(*) as records, min(at) as oldest from log where vault = vaults.id and seq > snapshot_seq
     ) as waiting`,
    [maxWaitingRecords],
  );
  const sum = (of: (group: Group) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const [waiting] = rows;
  return {
    nodes,
    vaults: sum(({ vaults }) => vaults),
    records: waiting?.records ?? 0,
    oldestRecordAt: waiting?.oldest ?? null,
    problems: [
      ...nodes.flatMap(findNodeProblems),
      ...groups.flatMap((group) => findGroupProblems(group, nodes)),
      ...findVaultProblems(
        waiting?.full ?? 0,
        sum(({ unsealed }) => unsealed),
      ),
    ],
  };
}

function findNodeProblems({ id, isAlive, silentFor, vaults, replacedWorkers }: NodeStatus): ServiceProblem[] {
  const problems: ServiceProblem[] = [];
  if (!isAlive && vaults > 0)
    problems.push({
      message: `node ${id} has sent no heartbeat for ${Math.round(silentFor)} s and still owns ${pluralize(vaults, 'vault')}`,
      hint: 'start it again, or leave it: the next request for each vault makes another node its owner',
    });
  if (isAlive && replacedWorkers > 0)
    problems.push({
      message: `node ${id} has replaced ${replacedWorkers} workers since it started`,
      hint: 'its log says when; if it goes on, look for a vault that the worker "apart" of /metrics has open',
    });
  return problems;
}

function findGroupProblems(
  { group, vaults }: { group: string; vaults: number },
  nodes: readonly NodeStatus[],
): ServiceProblem[] {
  if (nodes.some((node) => node.group === group && node.isAlive && !node.isDraining)) return [];
  const option = group === '' ? '' : ` --group ${group}`;
  return [
    {
      message: `no node serves ${group === '' ? 'the vaults without a group' : `group ${group}`} (${pluralize(vaults, 'vault')})`,
      hint: `start one with: keepsake-service node${option}; a drained node accepts vaults again after a restart`,
    },
  ];
}

function findVaultProblems(full: number, unsealed: number): ServiceProblem[] {
  const problems: ServiceProblem[] = [];
  if (full > 0)
    problems.push({
      message: `${pluralize(full, 'vault')} with more than ${maxWaitingRecords} records that are in no snapshot`,
      hint: 'check that the nodes can write to the object store: their logs say why a snapshot failed',
    });
  if (unsealed > 0)
    problems.push({
      message: `${pluralize(unsealed, 'vault')} with access settings of an earlier version, which cannot be opened`,
      hint: 'review and seal them with: keepsake-service cluster access',
    });
  return problems;
}
