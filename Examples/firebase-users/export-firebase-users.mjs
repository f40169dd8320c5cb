// Writes all users of a Firebase project to standard output, with Apple's identifiers, for `siwa import --from firebase`.
//
//     npm install firebase-admin
//     GOOGLE_APPLICATION_CREDENTIALS=service-account.json node export-firebase-users.mjs > users.json
//
// The members are those of `firebase auth:export --format=json`, which left Apple's out until May 2026. Password hashes
// come along if the service account may read them (firebaseauth.configs.getHashConfig). The file holds personal data.

import { applicationDefault, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';

const PAGE = 1000;

function milliseconds(time) {
  const moment = time ? Date.parse(time) : NaN;
  return Number.isNaN(moment) ? undefined : String(moment);
}

// The Admin SDK writes base64 for URLs; the export writes the usual one.
function base64(text) {
  return text?.replace(/-/g, '+').replace(/_/g, '/');
}

export function exported(user) {
  return {
    localId: user.uid,
    email: user.email,
    emailVerified: user.emailVerified,
    passwordHash: base64(user.passwordHash),
    salt: base64(user.passwordSalt),
    displayName: user.displayName,
    phoneNumber: user.phoneNumber,
    createdAt: milliseconds(user.metadata?.creationTime),
    lastSignedInAt: milliseconds(user.metadata?.lastSignInTime),
    disabled: user.disabled,
    providerUserInfo: user.providerData.map((provider) => ({
      providerId: provider.providerId,
      rawId: provider.uid,
      email: provider.email,
      displayName: provider.displayName,
    })),
  };
}

// Waits where the reader is slower than Firebase.
function write(text) {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export async function exportUsers(auth) {
  let token;
  let count = 0;
  await write('{"users": [');
  do {
    const page = await auth.listUsers(PAGE, token);
    for (const user of page.users) {
      await write(`${count === 0 ? '\n' : ',\n'}${JSON.stringify(exported(user))}`);
      count += 1;
    }
    token = page.pageToken;
  } while (token);
  await write('\n]}\n');
  return count;
}

initializeApp({ credential: applicationDefault() });
const count = await exportUsers(getAuth());
process.stderr.write(`${count} users written\n`);
