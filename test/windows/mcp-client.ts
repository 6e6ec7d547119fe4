import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

type Answer = {
  result?: { isError?: boolean; content?: { text?: string }[]; tools?: { name: string }[] };
};

/** An MCP client without dependencies, because it runs on Windows, where only the product is installed. */
export type McpClient = {
  /** The text of a result; throws if the tool failed or the process ended. */
  call: (name: string, input: object) => Promise<string>;
  listTools: () => Promise<string[]>;
  /** Ends the process at once, as a crash would. */
  kill: () => Promise<void>;
  /** Closes the connection and returns the exit code. */
  close: () => Promise<number | null>;
};

export async function startMcp(command: readonly string[], variables: NodeJS.ProcessEnv): Promise<McpClient> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: variables, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const waiting = new Map<number, (answer: Answer | null) => void>();
  let id = 0;
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer & { id?: number };
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  void ended.then(() => waiting.forEach((answer) => answer(null)));
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = async (method: string, params: object): Promise<Answer> => {
    id += 1;
    const asked = id;
    const answer = await new Promise<Answer | null>((resolve) => {
      waiting.set(asked, resolve);
      send({ id: asked, method, params });
    });
    if (answer?.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const client = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client });
  send({ method: 'notifications/initialized' });
  return {
    async call(name, input) {
      const { result } = await request('tools/call', { name, arguments: input });
      const text = result?.content?.map((part) => part.text).join('\n') ?? '';
      if (result?.isError === true) throw new Error(`${name}: ${text}`);
      return text;
    },
    async listTools() {
      const { result } = await request('tools/list', {});
      return (result?.tools ?? []).map(({ name }) => name);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    close() {
      child.stdin.end();
      return ended;
    },
  };
}
