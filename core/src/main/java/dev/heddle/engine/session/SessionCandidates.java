package dev.heddle.engine.session;

import java.util.List;
import java.util.Set;

/**
 * The workers of a group, as candidates for sessions.
 *
 * @param eligible workers that may get a new session
 * @param idle workers that could start a job at once and have none waiting
 * @param here all workers of the group on this node, including unhealthy ones
 */
public record SessionCandidates(List<String> eligible, Set<String> idle, Set<String> here) {}
