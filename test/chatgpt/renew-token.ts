import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createChatGptTokenSource } from '../../packages/vault/src/app/chatgpt-access-token.ts';
import type { SignInService } from './sign-in-service.ts';

/** A process of its own that prints an access token: `renew-token.ts <endpoints as JSON>`. */
const endpoints = JSON.parse(process.argv[2] ?? '') as SignInService['endpoints'];
process.stdout.write(await createChatGptTokenSource({ ...readEnvironment(), chatGpt: endpoints })());
