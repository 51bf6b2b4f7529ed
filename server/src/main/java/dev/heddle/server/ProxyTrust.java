package dev.heddle.server;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import dev.heddle.access.Actor;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.Limits;
import io.javalin.http.Context;

/**
 * Which proxies may say who their users are, and by which headers. From any other address, the headers mean nothing.
 *
 * @param proxies the addresses of the proxies; none trusts nobody
 * @param userHeader the header with the name of the user
 * @param groupsHeader the header with the groups of the user, separated by commas
 * @param groups the groups that have each role; {@code *} stands for every user
 */
record ProxyTrust(List<AddressRange> proxies, String userHeader, String groupsHeader, Map<Role, Set<String>> groups) {

    private static final String ANY_GROUP = "*";
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,100}");
    private static final Set<String> TAKEN = Set.of("authorization", "cookie", "host", "origin");

    /** Trusts no proxy. */
    static final ProxyTrust NONE = new ProxyTrust(List.of(), "X-Forwarded-User", "X-Forwarded-Groups", Map.of());

    ProxyTrust {
        proxies = List.copyOf(proxies);
        groups = Map.copyOf(groups);
        for (String header : List.of(userHeader, groupsHeader)) {
            if (!HEADER.matcher(header).matches() || TAKEN.contains(header.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "not a header that a proxy can set: '" + Limits.quoted(header) + "'");
            }
        }
        if (!proxies.isEmpty() && groups.values().stream().allMatch(Set::isEmpty)) {
            throw new IllegalArgumentException("the proxy may log in users, but no group has a role; set"
                    + " server.proxy.viewers, operators or admins ('*' stands for every user)");
        }
    }

    /** Returns whether requests from this address come from one of the proxies. */
    boolean trusts(String address) {
        return proxies.stream().anyMatch(range -> range.contains(address));
    }

    /** Returns the user whom a trusted proxy names; empty if the request does not come from one, or it names none. */
    Optional<Caller> user(Context request) {
        if (!trusts(request.req().getRemoteAddr())) {
            return Optional.empty();
        }
        List<String> users = Collections.list(request.req().getHeaders(userHeader));
        if (users.size() > 1) {
            throw new ControlException(Kind.UNAUTHENTICATED, "the proxy sent " + users.size() + " headers "
                    + userHeader + "; configure it to remove those of its clients");
        }
        if (users.isEmpty() || users.getFirst().isBlank()) {
            return Optional.empty();
        }
        String user = users.getFirst().strip();
        Role role = role(groups(request)).orElseThrow(() -> new ControlException(Kind.DENIED,
                "user '" + Limits.quoted(user) + "' is in no group that has a role here"));
        return Optional.of(new Caller(new Actor(Actor.Kind.USER, Limits.quoted(user), clientAddress(request)), role));
    }

    private Set<String> groups(Context request) {
        Set<String> all = new HashSet<>();
        Collections.list(request.req().getHeaders(groupsHeader))
                .forEach(line -> Arrays.stream(line.split(",")).map(String::strip).forEach(all::add));
        return all;
    }

    /** Returns the highest role of these groups; empty if none has one. */
    Optional<Role> role(Set<String> ofUser) {
        return Arrays.stream(Role.values()).filter(role -> groups.getOrDefault(role, Set.of()).stream()
                .anyMatch(group -> group.equals(ANY_GROUP) || ofUser.contains(group))).reduce((_, higher) -> higher);
    }

    /**
     * Returns where a request comes from: behind a trusted proxy, the last address in {@code X-Forwarded-For} that is
     * not a trusted proxy itself. What a client puts before it does not count.
     */
    String clientAddress(Context request) {
        String address = request.req().getRemoteAddr();
        List<String> hops = Collections.list(request.req().getHeaders("X-Forwarded-For")).stream()
                .flatMap(line -> Arrays.stream(line.split(","))).map(String::strip).toList().reversed();
        for (String hop : hops) {
            if (!trusts(address) || !AddressRange.isAddress(hop)) {
                break;
            }
            address = hop;
        }
        return address;
    }
}
