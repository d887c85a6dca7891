import {
  bufferToBase64URLString,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { Schemas } from '../../contract/index.ts'
import { call, callData } from './client.ts'
import { useWork } from './queries.ts'

type PasskeyToAdd = Schemas['PasskeyStartInput'] & { name: string; user: Schemas['User'] }

/** Has the device make one, once the server knows that it is the user who asks. */
export function useAddPasskey() {
  return useWork(async ({ name, user, ...proof }: PasskeyToAdd) => {
    const asked = await callData('POST /passkeys/challenge', { body: proof })
    const made = await byDevice(() =>
      startRegistration({
        optionsJSON: {
          challenge: asked.challenge,
          rp: { id: asked.host, name: 'Ratecard' },
          user: {
            id: bufferToBase64URLString(new TextEncoder().encode(user.id).buffer),
            name: user.email,
            displayName: user.name,
          },
          // EdDSA, ES256, RS256.
          pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
          excludeCredentials: asDescriptors(asked.credentials),
          attestation: 'none',
        },
      }),
    )
    const { clientDataJSON, attestationObject } = made.response
    const body = { name, credential: made.id, client_data: clientDataJSON, attestation: attestationObject }
    return callData('POST /passkeys', { body })
  })
}

/** @param afterPassword whether it takes the place of a code */
export async function signInWithPasskey(afterPassword: boolean): Promise<void> {
  const body = { in_place_of_code: afterPassword }
  const asked = await callData('POST /passkey-sign-in/challenge', { body })
  const { id, response } = await byDevice(() =>
    startAuthentication({
      optionsJSON: {
        challenge: asked.challenge,
        rpId: asked.host,
        userVerification: 'required',
        allowCredentials: asDescriptors(asked.credentials),
      },
    }),
  )
  const signature = {
    credential: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle ?? null,
  }
  await call('POST /passkey-sign-in', { body: signature })
}

function asDescriptors(credentials: readonly string[]) {
  return credentials.map((id) => ({ type: 'public-key' as const, id }))
}

/** @throws Error that says what the person can do */
async function byDevice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('This device has a passkey of yours already.', { cause: error })
    if (error instanceof Error && error.name === 'NotAllowedError')
      throw new Error('No passkey was used. Try again, and confirm it on your device.', { cause: error })
    throw error
  }
}
