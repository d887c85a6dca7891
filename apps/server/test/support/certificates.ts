import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'

// A certificate authority for the length of a test run, and certificates of every kind a receiver may have.

export interface Certificate {
  key: string
  cert: string
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
// One key pair for all: only the contents of the certificates differ.
const keys = {
  private: forge.pki.privateKeyFromPem(privateKey),
  public: forge.pki.publicKeyFromPem(publicKey),
}
const dayMs = 86_400_000

interface CertificateOptions {
  name: string
  issuer: string
  altNames?: ({ type: 2; value: string } | { type: 7; ip: string })[]
  isCa?: boolean
  /** More of what it names, by the short names of X.500. */
  subject?: Record<string, string>
  validDays?: [from: number, until: number]
}

function certificate({
  name,
  issuer,
  altNames,
  isCa = false,
  subject = {},
  validDays = [-1, 30],
}: CertificateOptions): Certificate {
  const cert = forge.pki.createCertificate()
  cert.publicKey = keys.public
  cert.serialNumber = `01${randomBytes(8).toString('hex')}`
  cert.validity.notBefore = new Date(Date.now() + validDays[0] * dayMs)
  cert.validity.notAfter = new Date(Date.now() + validDays[1] * dayMs)
  const more = Object.entries(subject).map(([shortName, value]) => ({ shortName, value }))
  cert.setSubject([{ name: 'commonName', value: name }, ...more])
  cert.setIssuer([{ name: 'commonName', value: issuer }])
  cert.setExtensions([
    { name: 'basicConstraints', cA: isCa },
    ...(altNames ? [{ name: 'subjectAltName', altNames }] : []),
  ])
  cert.sign(keys.private, forge.md.sha256.create())
  return { key: privateKey, cert: forge.pki.certificateToPem(cert) }
}

const caName = 'Ratecard test authority'
const local: CertificateOptions['altNames'] = [
  { type: 2, value: 'localhost' },
  { type: 2, value: 'receiver.test' },
  { type: 7, ip: '127.0.0.1' },
]

export const authority = certificate({ name: caName, issuer: caName, isCa: true, validDays: [-1, 30] })
export const goodCertificate = certificate({ name: 'localhost', issuer: caName, altNames: local })
export const expiredCertificate = certificate({
  name: 'localhost',
  issuer: caName,
  altNames: local,
  validDays: [-10, -1],
})
export const wrongHostCertificate = certificate({
  name: 'elsewhere.test',
  issuer: caName,
  altNames: [{ type: 2, value: 'elsewhere.test' }],
})
/** Of a device that makes passkeys, as WebAuthn wants it (8.2.1). */
export const deviceCertificate = certificate({
  name: 'Test device',
  issuer: caName,
  subject: { C: 'DE', O: 'Ratecard', OU: 'Authenticator Attestation' },
})
export const selfSignedCertificate = certificate({ name: 'localhost', issuer: 'localhost', altNames: local })

/** The authority as a file, for `WEBHOOK_CA_FILE`. */
const folder = mkdtempSync(join(tmpdir(), 'ratecard-ca-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
export const authorityFile = join(folder, 'ca.pem')
writeFileSync(authorityFile, authority.cert)
