const PREFIXES = ['utm_', 'pk_', 'piwik_', 'mtm_', 'matomo_', 'hsa_', 'stm_', 'itm_', '__hs'];

const NAMES = new Set([
  // click ids of advertisers
  'gclid',
  'gclsrc',
  'gbraid',
  'wbraid',
  'gad_source',
  'gad_campaignid',
  'dclid',
  'fbclid',
  'msclkid',
  'yclid',
  'ysclid',
  'twclid',
  'ttclid',
  'li_fat_id',
  'igshid',
  'igsh',
  'epik',
  'sccid',
  'rb_clickid',
  'irclickid',
  'srsltid',
  'zanpid',
  'wickedid',
  // newsletters and marketing
  'mc_cid',
  'mc_eid',
  '_hsenc',
  '_hsmi',
  'hsctatracking',
  'mkt_tok',
  'vero_id',
  'vero_conv',
  'oly_anon_id',
  'oly_enc_id',
  'ml_subscriber',
  'ml_subscriber_hash',
  'dm_i',
  '_kx',
  's_cid',
  // analytics
  '_ga',
  '_gl',
  '_openstat',
]);

/** Whether a parameter only tells where a visitor came from: `utm_*`, `gclid`, `fbclid` … */
export function isTrackingName(name: string): boolean {
  const lower = name.toLowerCase();
  return NAMES.has(lower) || PREFIXES.some((prefix) => lower.startsWith(prefix));
}
