// What a passkey has signed, judged as WebAuthn says (https://www.w3.org/TR/webauthn-3/, 7.1 and 7.2). The device must
// have verified its user, by a finger or a PIN: so a passkey is both factors.

/** EdDSA, ES256, RS256, as COSE numbers them; the pages ask for the same. */
const algorithms = [-8, -7, -257]

/** What a passkey must have signed, and where. */
export interface Asked {
  challenge: string
  /** Any address of ours: a passkey works at its origin alone. */
  url: string
}

export interface NewPasskey {
  credentialId: string
  publicKey: Buffer
  signCount: number
}

/** What a browser sends, each in base64url. */
type NewAnswer = Record<'credential' | 'client_data' | 'attestation', string>
type Answer = Record<'credential' | 'client_data' | 'authenticator_data' | 'signature', string>

/** @returns null: it is not what was asked for */
export async function judgeNewPasskey(answer: NewAnswer, asked: Asked): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return unlessThrown(async () => {
    const attested = decodeAttestationObject(Buffer.from(answer.attestation, 'base64url'))
    // We ask for no certificate of the device: one would be verified with what is at addresses that it names.
    const hasCertificate = attested.get('attStmt').get('x5c') !== undefined
    if (hasCertificate || !['none', 'packed'].includes(attested.get('fmt'))) return null
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...ofLibrary(answer),
        response: { clientDataJSON: answer.client_data, attestationObject: answer.attestation },
      },
      supportedAlgorithmIDs: algorithms,
      ...buildExpectations(asked),
    })
    if (!registrationInfo) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter }
  })
}

/** @returns how many signatures the device has counted; null: it is not what was asked for */
export async function judgeSignature(
  answer: Answer,
  passkey: NewPasskey,
  asked: Asked,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  return unlessThrown(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...ofLibrary(answer),
        response: {
          clientDataJSON: answer.client_data,
          authenticatorData: answer.authenticator_data,
          signature: answer.signature,
        },
      },
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
      ...buildExpectations(asked),
    })
    return verified ? authenticationInfo.newCounter : null
  })
}

function ofLibrary({ credential }: { credential: string }) {
  return { id: credential, rawId: credential, type: 'public-key' as const, clientExtensionResults: {} }
}

function buildExpectations({ challenge, url }: Asked) {
  const { hostname, origin } = new URL(url)
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
  }
}

/** The library throws where something is wrong, and where a stranger's bytes mean nothing. */
async function unlessThrown<T>(judge: () => Promise<T>): Promise<T | null> {
  try {
    return await judge()
  } catch {
    return null
  }
}
