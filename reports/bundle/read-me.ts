/** What someone who opens a bundle without knowing about it reads first. */
export const readMe = `This is the evidence of one contract-test run. It is a test record, not a certification.

  reports/report.html   the results: open it in a browser, it needs no network
  reports/record.html   the results on a few pages, to be printed
  ledger.ndjson         every event of the run; all reports follow from it
  contract.json         the contract that was tested; its SHA-256 is the contract digest
  configuration.json    every setting, and where it came from
  environment.json      the machine and the versions of all packages
  waivers.json          failures that were accepted for a time
  manifest.json         SHA-256 and size of every file
  signature.json        who signed the manifest; only present if someone did
  timestamp.tsr         when the manifest existed, by a time-stamping authority (RFC 3161); only present if one was asked

To check offline that nothing was changed (take public.pem from whoever signed it, not from here):

  plantstore bundle verify FILE.zip --key public.pem

Or compare one file at a time: sha256sum FILE must match manifest.json.
`
