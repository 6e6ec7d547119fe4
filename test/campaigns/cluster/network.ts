import { execFileSync } from 'node:child_process';

/** The simulated hosts of a campaign: network namespaces on one bridge, to which this process is also connected. */
export type TestNetwork = {
  /** The address at which all hosts reach this process. */
  address: string;
  addressOf(host: string): string;
  /** The command line that runs a command on a host. */
  on(host: string, command: readonly string[]): [string, ...string[]];
  /** Kills all processes of a host. */
  kill(host: string): void;
  /** Until `heal`, drops packets to or from this port, or both, or slows down all traffic. */
  cut(host: string, port: number, how: Cut): void;
  heal(host: string): void;
  remove(): void;
};

export const cuts = ['both ways', 'what is sent', 'what comes', 'slow'] as const;
type Cut = (typeof cuts)[number];

/** Null when this machine does not permit network namespaces. */
export function startNetwork(hosts: readonly string[]): TestNetwork | null {
  const id = `ks${process.pid}`;
  const subnet = `10.201.${process.pid % 250}`;
  const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
  const nameOf = (host: string): string => `${id}-${host}`;
  const addressOf = (host: string): string => `${subnet}.${10 + hosts.indexOf(host)}`;
  const on = (host: string, command: readonly string[]): [string, ...string[]] => [
    'ip',
    'netns',
    'exec',
    nameOf(host),
    ...command,
  ];
  const run = (host: string, ...command: string[]): void => {
    const [program, ...args] = on(host, command);
    execFileSync(program, args, { stdio: 'pipe' });
  };
  const kill = (host: string): void => {
    const pids = execFileSync('ip', ['netns', 'pids', nameOf(host)], { encoding: 'utf8' });
    for (const pid of pids.split('\n').filter(Boolean))
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // The process has already exited.
      }
  };
  const remove = (): void => {
    process.off('exit', remove);
    for (const host of made.splice(0)) {
      kill(host);
      ip('netns', 'delete', nameOf(host));
    }
    ip('link', 'delete', id);
  };
  const made: string[] = [];
  try {
    ip('link', 'add', id, 'type', 'bridge');
  } catch {
    return null;
  }
  // An interrupted campaign would leave its hosts and their processes.
  process.once('exit', remove);
  try {
    ip('address', 'add', `${subnet}.1/24`, 'dev', id);
    ip('link', 'set', id, 'up');
    for (const host of hosts) {
      ip('netns', 'add', nameOf(host));
      made.push(host);
      const end = `${id}${host}`;
      ip('link', 'add', end, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', nameOf(host));
      ip('link', 'set', end, 'master', id, 'up');
      run(host, 'ip', 'link', 'set', 'lo', 'up');
      run(host, 'ip', 'address', 'add', `${addressOf(host)}/24`, 'dev', 'eth0');
      run(host, 'ip', 'link', 'set', 'eth0', 'up');
      run(host, 'nft', 'add', 'table', 'inet', 'cut');
    }
  } catch {
    remove();
    return null;
  }
  return {
    address: `${subnet}.1`,
    addressOf,
    on,
    kill,
    cut(host, port, how) {
      if (how === 'slow') {
        // Allows about one write per second.
        run(host, 'tc', ...'qdisc add dev eth0 root tbf rate 64kbit burst 3000 latency 3s'.split(' '));
        return;
      }
      const chains = { output: 'dport', input: 'sport' } as const;
      for (const [chain, end] of Object.entries(chains)) {
        if (how === (chain === 'output' ? 'what comes' : 'what is sent')) continue;
        const hook = `{ type filter hook ${chain} priority 0 ; }`;
        run(host, 'nft', `add chain inet cut ${chain} ${hook}`);
        run(host, 'nft', `add rule inet cut ${chain} tcp ${end} ${port} drop`);
      }
    },
    heal(host) {
      run(host, 'nft', 'flush', 'ruleset');
      run(host, 'nft', 'add', 'table', 'inet', 'cut');
      try {
        run(host, 'tc', 'qdisc', 'delete', 'dev', 'eth0', 'root');
      } catch {
        // The host was not slowed down.
      }
    },
    remove,
  };
}
