/** What OpenCode loads: it tells Keepsake what other clients tell by themselves, and never stands in the way. */
export function openCodePlugin(program: readonly string[], timeoutOf: (event: string) => number): string {
  const timeouts = Object.fromEntries(
    ['session-start', 'prompt', 'turn', 'pre-compact', 'post-compact'].map((event) => [
      event,
      timeoutOf(event) * 1_000,
    ]),
  );
  return `// Written by keepsake connect opencode; keepsake disconnect opencode takes it away.
import { spawn } from 'node:child_process';

const [program, ...args] = ${JSON.stringify(program)};
const timeouts = ${JSON.stringify(timeouts)};

function tell(event, said) {
  return new Promise((resolve) => {
    try {
      const child = spawn(program, [...args, 'hook', 'opencode', event], { stdio: ['pipe', 'pipe', 'ignore'], timeout: timeouts[event] });
      let text = '';
      child.stdout.on('data', (chunk) => (text += chunk));
      child.stdin.on('error', () => undefined);
      child.on('error', () => resolve(''));
      child.on('close', () => resolve(text));
      child.stdin.end(JSON.stringify(said));
    } catch {
      resolve('');
    }
  });
}

export const Keepsake = async ({ directory }) => {
  const briefs = new Map();
  const answers = new Map();
  const inner = new Set();
  const about = (session, more) => ({ session_id: session, cwd: directory, ...more });
  const brief = async (session) => {
    try {
      return JSON.parse(await tell('session-start', about(session, { source: 'startup' }))).hookSpecificOutput.additionalContext;
    } catch {
      return '';
    }
  };
  return {
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      if (sessionID === undefined || inner.has(sessionID)) return;
      if (!briefs.has(sessionID)) briefs.set(sessionID, brief(sessionID));
      const text = await briefs.get(sessionID);
      if (text) output.system.push(text);
    },
    'chat.message': async ({ sessionID, messageID }, { message, parts }) => {
      if (inner.has(sessionID)) return;
      const prompt = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\\n');
      await tell('prompt', about(sessionID, { prompt, turn_id: messageID ?? message?.id }));
    },
    'experimental.text.complete': async ({ sessionID, messageID }, { text }) => {
      answers.set(sessionID, { text, id: messageID });
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const text = await tell('pre-compact', about(sessionID, {}));
      if (text) output.context.push(text.trim());
    },
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {};
      if (event.type === 'session.created' && info?.parentID) inner.add(info.id);
      const answer = answers.get(sessionID);
      if (answer === undefined || inner.has(sessionID)) return;
      if (event.type === 'session.idle') {
        answers.delete(sessionID);
        await tell('turn', about(sessionID, { last_assistant_message: answer.text, turn_id: answer.id }));
      }
      if (event.type === 'session.compacted') {
        answers.delete(sessionID);
        await tell('post-compact', about(sessionID, { compact_summary: answer.text, turn_id: answer.id }));
      }
    },
  };
};
`;
}
