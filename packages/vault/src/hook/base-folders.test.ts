import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveBaseFolders } from './base-folders.ts';

describe('the base folders on Windows', () => {
  it('follow redirected folders of the user', () => {
    expect(resolveBaseFolders({ LOCALAPPDATA: 'D:/local', APPDATA: 'E:/roaming' }, '/home', 'win32')).toEqual(
      {
        state: 'D:/local/keepsake',
        data: 'D:/local/keepsake',
        configuration: 'E:/roaming/keepsake',
        cache: join('D:/local', 'Cache', 'keepsake'),
      },
    );
  });

  it('are below the home folder by default', () => {
    expect(resolveBaseFolders({}, '/home', 'win32')).toMatchObject({
      state: join('/home', 'AppData/Local/keepsake'),
      configuration: join('/home', 'AppData/Roaming/keepsake'),
    });
    expect(resolveBaseFolders({ LOCALAPPDATA: 'D:/local' }, '/home', 'linux').state).toBe(
      join('/home', '.local/state/keepsake'),
    );
  });
});
