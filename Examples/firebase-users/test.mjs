// Runs the script with a stand-in for the Admin SDK, and compares its output: node Examples/firebase-users/test.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'firebase-users-'));
try {
  const sdk = join(folder, 'node_modules', 'firebase-admin');
  mkdirSync(sdk, { recursive: true });
  writeFileSync(
    join(sdk, 'package.json'),
    JSON.stringify({ name: 'firebase-admin', type: 'module', exports: { './app': './app.js', './auth': './auth.js' } }));
  writeFileSync(join(sdk, 'app.js'), 'export const applicationDefault = () => ({}); export const initializeApp = () => {};');
  // Two pages, as `listUsers` gives them.
  writeFileSync(join(sdk, 'auth.js'), `
    const users = [
      { uid: 'uid-apple', email: 'a1b2c3@privaterelay.appleid.com', emailVerified: true, disabled: false,
        displayName: 'Johnny Appleseed', providerData: [{ uid: '001234.abc.0001', providerId: 'apple.com' }],
        metadata: { creationTime: 'Sun, 13 Sep 2020 12:26:40 GMT', lastSignInTime: 'Tue, 14 Nov 2023 22:13:20 GMT' } },
      { uid: 'uid-zoe', email: 'zoe@example.com', emailVerified: true, disabled: false, passwordHash: 'a-b_c==',
        passwordSalt: 'c2FsdA==', providerData: [], metadata: { creationTime: 'nonsense' } },
    ];
    export const getAuth = () => ({
      async listUsers(limit, token) {
        return token ? { users: [users[1]] } : { users: [users[0]], pageToken: 'next' };
      },
    });`);
  cpSync(join(here, 'export-firebase-users.mjs'), join(folder, 'export-firebase-users.mjs'));
  const output = execFileSync('node', [join(folder, 'export-firebase-users.mjs')], { encoding: 'utf8', stdio: 'pipe' });
  const { users } = JSON.parse(output);
  assert.equal(users.length, 2);
  assert.equal(users[0].localId, 'uid-apple');
  assert.deepEqual(users[0].providerUserInfo, [{ providerId: 'apple.com', rawId: '001234.abc.0001' }]);
  assert.equal(users[0].createdAt, '1600000000000');
  assert.equal(users[0].lastSignedInAt, '1700000000000');
  assert.equal(users[1].passwordHash, 'a+b/c==');
  assert.ok(!('createdAt' in users[1]));
  assert.equal(output.trim().split('\n').length, 4, 'a line for each user');
  console.log('the export of Firebase users is as siwa reads it');
} finally {
  rmSync(folder, { recursive: true });
}
