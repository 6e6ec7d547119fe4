// node hold-file.ts <program> <file> <access: read | write> <share mode>: holds a file open until standard input ends.
// A line on standard input is appended to the file.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type Koffi from 'koffi';

const [program = '', file = '', access, sharing] = process.argv.slice(2);
const koffi = createRequire(program)('koffi') as typeof Koffi;
const kernel = koffi.load('kernel32.dll');
const createFile = kernel.func(
  'intptr __stdcall CreateFileW(str16, uint32, uint32, void *, uint32, uint32, intptr)',
);
const writeFile = kernel.func('int __stdcall WriteFile(intptr, uint8 *, uint32, _Out_ uint32 *, void *)');
const seek = kernel.func('int __stdcall SetFilePointerEx(intptr, int64, void *, uint32)');
const [read, write, openExisting, fromEnd] = [0x8000_0000, 0x4000_0000, 3, 2];
const rights = access === 'write' ? read + write : read;
const handle = createFile(file, rights, Number(sharing), null, openExisting, 0, 0) as number;
console.log(handle === -1 ? 'refused' : 'held');
for await (const line of createInterface({ input: process.stdin })) {
  const bytes = Buffer.from(`${line}\n`);
  seek(handle, 0, null, fromEnd);
  console.log(writeFile(handle, bytes, bytes.length, [0], null) === 0 ? 'failed' : 'written');
}
process.exit();
