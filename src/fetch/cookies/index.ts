export { CookieJar, type CookieJarOptions, type SavedCookie } from './cookie-jar.js';
export { loadCookies, saveCookies } from './save-cookies.js';
export { withCookies, type WithCookiesOptions } from './with-cookies.js';
