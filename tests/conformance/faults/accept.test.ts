import { huntFaults } from './hunt.ts'

huntFaults('accept')
