import { huntFaults } from './hunt.ts'

huntFaults('stability')
