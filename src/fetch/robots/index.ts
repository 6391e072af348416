export { type AgentRules, type RobotsRule } from './agent-rules.js';
export { obeyRobots, type ObeyRobotsOptions } from './obey-robots.js';
export { parseRobots, type ParseRobotsOptions, type RobotsRules } from './parse-robots.js';
export { isProductToken, robotsToken } from './robots-token.js';
