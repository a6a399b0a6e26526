import type { X509Certificate } from 'node:crypto'

/**
 * The certificates from one to a root, in this order; null if none of the roots has issued it, directly or by others. Their validity is
 * not considered.
 */
export const pathToRoot = (
  certificate: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): readonly X509Certificate[] | null => {
  // Each is tried once, so that many certificates of one name cost little.
  const tried = new Set<X509Certificate>()
  const pathOf = (from: X509Certificate): readonly X509Certificate[] | null => {
    tried.add(from)
    if (roots.some(root => root.raw.equals(from.raw))) return [from]
    const root = roots.find(candidate => hasIssued(candidate, from))
    if (root !== undefined) return [from, root]
    for (const other of others) {
      if (tried.has(other) || !hasIssued(other, from)) continue
      const path = pathOf(other)
      if (path !== null) return [from, ...path]
    }
    return null
  }
  return pathOf(certificate)
}

const hasIssued = (issuer: X509Certificate, certificate: X509Certificate): boolean => {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    // Its key is of a kind that is not known here.
    return false
  }
}

/** Whether a certificate is valid at a time. */
export const isValidAt = ({ validFromDate, validToDate }: X509Certificate, time: Date): boolean =>
  validFromDate <= time && time <= validToDate
