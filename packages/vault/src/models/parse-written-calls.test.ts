import { describe, expect, it } from 'vitest';
import { cutAtWrittenCall, parseWrittenCalls } from './parse-written-calls.ts';

const tools = ['search', 'append', 'tree'];

function parse(text: string, shown = ''): ReturnType<typeof parseWrittenCalls> {
  return parseWrittenCalls(text, tools, () => shown);
}

const search = { toolName: 'search', input: { queries: ['key'] }, isInvalid: false };
const json = (field = 'arguments') => JSON.stringify({ name: 'search', [field]: { queries: ['key'] } });

describe('a tool call written as text', () => {
  it.each([
    ['Hermes and Qwen', `<tool_call>\n${json()}\n</tool_call>`],
    ['an unclosed tag', `<tool_call>\n${json()}`],
    ['a fence', `\`\`\`json\n${json()}\n\`\`\``],
    ['a fence without a language', `\`\`\`\n${json('parameters')}\n\`\`\``],
    ['an unclosed fence', `\`\`\`json\n${json('input')}\n`],
    ['a list in a fence', `\`\`\`json\n[${json()}]\n\`\`\``],
    ['JSON alone', ` ${json('parameters')}\n`],
    ['Mistral', `[TOOL_CALLS] [${json()}]`],
    ['newer Mistral', '[TOOL_CALLS]search[ARGS]{"queries": ["key"]}'],
    ['Llama', '<function=search>{"queries": ["key"]}</function>'],
    ['a name and its input', 'search {"queries": ["key"]}'],
    ['the form of the API', `{"type":"function","id":"1","function":${json()}}`],
    [
      'arguments as a string',
      '<tool_call>{"name":"search","arguments":"{\\"queries\\":[\\"key\\"]}"}</tool_call>',
    ],
  ])('is parsed: %s', (_name, text) => {
    expect(parse(text)).toEqual({ calls: [search], text: '' });
  });

  it.each([
    ['on lines of their own', `<tool_call>${json()}</tool_call>\n<tool_call>${json()}</tool_call>`],
    ['on one line', `<tool_call>${json()}</tool_call><tool_call>${json()}</tool_call>`],
    ['in one tag', `<tool_call>[${json()}, ${json()}]</tool_call>`],
    ['in two fences', `\`\`\`json\n${json()}\n\`\`\`\n\n\`\`\`json\n${json()}\n\`\`\``],
    ['in one list', `[TOOL_CALLS][${json()},${json()}]`],
  ])('is parsed with the calls after it: %s', (_name, text) => {
    expect(parse(text)).toEqual({ calls: [search, search], text: '' });
  });

  it('is separated from the text around it', () => {
    expect(parse(`I search first.\n\`\`\`json\n${json()}\n\`\`\``)).toEqual({
      calls: [search],
      text: 'I search first.',
    });
    expect(parse(`<tool_call>${json()}</tool_call>\nSummary: done.`)).toEqual({
      calls: [search],
      text: 'Summary: done.',
    });
  });

  it('may contain line breaks that are not escaped, and closing brackets in its text', () => {
    const content = '# Day\n\n## Title }]\n"Quoted" ```';
    const written = JSON.stringify({ name: 'append', arguments: { content } }).replaceAll('\\n', '\n');
    expect(parse(`<tool_call>${written}</tool_call>`)?.calls).toEqual([
      { toolName: 'append', input: { content }, isInvalid: false },
    ]);
    expect(parse(`\`\`\`json\n${written}\n\`\`\``)?.calls[0]?.input).toEqual({ content });
  });

  it('is invalid if it is marked as a call but is not JSON', () => {
    const broken = '{"name": "append", "arguments": {"path": "vault/a.md", "content": ';
    expect(parse(`<tool_call>${broken}</tool_call>`)).toEqual({
      calls: [{ toolName: 'append', input: broken.trim(), isInvalid: true }],
      text: '',
    });
    expect(parse(`\`\`\`json\n${broken}\n\`\`\``)).toBeNull();
  });
});

describe('text that is no tool call', () => {
  it.each([
    ['prose', 'The key is in the shed.'],
    ['an unknown tool', '<tool_call>{"name":"rm","arguments":{}}</tool_call>'],
    ['a list with an unknown tool', `[TOOL_CALLS][${json()},{"name":"rm","arguments":{}}]`],
    ['a fence inside an answer', `This is how:\n\`\`\`json\n${json()}\n\`\`\`\nThat was it.`],
    ['a call in a sentence', `Qwen writes <tool_call>${json()}</tool_call> as text.`],
    ['a call in a fence of another kind', `Qwen:\n\`\`\`xml\n<tool_call>${json()}</tool_call>\n\`\`\``],
    ['other JSON', '```json\n{"name":"search","version":"1.0"}\n```'],
    ['JSON with further fields', '{"name":"search","input":{},"license":"MIT"}'],
    ['a fence with more than a call', `\`\`\`\n${json()} is a call\n\`\`\``],
    ['nothing', ''],
  ])('is left alone: %s', (_name, text) => {
    expect(parse(text)).toBeNull();
  });

  it('is a call that the model quotes from what it was given, with or without line numbers', () => {
    const quoted =
      '<tool_call>\n{"name": "append",\n "arguments": {"path": "vault/profile.md"}}\n</tool_call>';
    const numbered = quoted.split('\n').map((line, index) => `${index + 8}  | ${line}`);
    expect(parse(`The mail says:\n${quoted}`, numbered.join('\n'))).toBeNull();
    expect(parse(`The mail says:\n${quoted}`, 'another text')?.calls).toHaveLength(1);
    expect(parse('<function=tree>{}</function>', 'an empty object is {}')?.calls).toHaveLength(1);
  });

  it('is what precedes a call while the text is being written', () => {
    expect(cutAtWrittenCall('One.\n<tool_call>{"na')).toBe('One.\n');
    expect(cutAtWrittenCall('One <tool_call> two')).toBe('One <tool_call> two');
  });
});
