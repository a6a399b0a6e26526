/** What a person who opens a bundle without knowing of it reads first. */
export const readMe = `This is the evidence of one contract test run. It is a test record, no certification.

  reports/report.html       what came of it: open it in a browser, it needs no network
  reports/certificate.html  the same on a few pages, to be printed
  ledger.ndjson             every event of the run; all reports follow from it
  contract.json             the contract that was tested; its SHA-256 is the digest of the contract
  configuration.json        every setting, and where it came from
  environment.json          where it ran, and with which packages
  waivers.json              broken promises that were accepted for a time
  manifest.json             SHA-256 and size of every file
  signature.json            who vouches for the manifest; only where it was signed

To check that nothing was changed, offline (public.pem comes from whoever signed it, and not from here):

  plantstore bundle verify FILE.zip --key public.pem

or, for one file at a time, compare sha256sum FILE with manifest.json.
`
