package dev.heddle.process;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which variables a process gets: those of the node, less what looks like a secret, plus what it is told.
 *
 * <p>Patterns have {@code *} for any characters, and no case. What is allowed wins over what is secret. A value that is
 * an address with a password in it is a secret whatever its name. What is set for the process by hand is passed as it
 * is: to write it down is to allow it.
 *
 * @param prefix what the names of Heddle's own variables begin with
 * @param secrets patterns of names that do not pass
 * @param allowed patterns of names that pass all the same
 */
public record EnvironmentRules(String prefix, Set<String> secrets, Set<String> allowed) {

    /** What looks like a secret, unless told otherwise. */
    public static final List<String> SECRETS = List.of("*KEY*", "*SECRET*", "*PASSWORD*", "*PASSWD*",
            "*PASSPHRASE*",
            "*TOKEN*", "*CREDENTIAL*", "*PRIVATE*", "*_AUTH", "*_PAT", "PGPASS*", "*_DSN",
            "*CONNECTION_STRING*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern ADDRESS_WITH_PASSWORD = Pattern.compile("\\w+://[^/@\\s]*:[^/@\\s]+@.*",
            Pattern.DOTALL);

    public EnvironmentRules {
        secrets = Set.copyOf(secrets);
        allowed = Set.copyOf(allowed);
        if (!NAME.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "the prefix of environment variables must be letters, digits and _, and not begin with a digit: '"
                            + prefix + "'");
        }
    }

    public static EnvironmentRules standard() {
        return new EnvironmentRules(Variable.PREFIX, Set.copyOf(SECRETS), Set.of());
    }

    public EnvironmentRules prefix(String newPrefix) {
        return new EnvironmentRules(newPrefix, secrets, allowed);
    }

    /** With these patterns in place of the ones before. */
    public EnvironmentRules secrets(Collection<String> patterns) {
        return new EnvironmentRules(prefix, Set.copyOf(patterns), allowed);
    }

    /** With these patterns besides the ones before, as a job type has them. */
    public EnvironmentRules allowing(Collection<String> patterns) {
        Set<String> both = new LinkedHashSet<>(allowed);
        both.addAll(patterns);
        return new EnvironmentRules(prefix, secrets, both);
    }

    /**
     * The environment of a process.
     *
     * @param inherited the node's own
     * @param told what Heddle tells it; nothing overrides these
     * @param set what its job type sets
     */
    public Map<String, String> environment(Map<String, String> inherited, Map<Variable, String> told,
            Map<String, String> set) {
        Map<String, String> environment = new TreeMap<>();
        inherited.forEach((name, value) -> {
            if (passes(name, value)) {
                environment.put(name, value);
            }
        });
        environment.putAll(set);
        told.forEach((variable, value) -> environment.put(variable.under(prefix), value));
        return environment;
    }

    boolean passes(String name, String value) {
        if (matches(allowed, name)) {
            return true;
        }
        return !matches(secrets, name) && !ADDRESS_WITH_PASSWORD.matcher(value).matches();
    }

    private static boolean matches(Set<String> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> glob(pattern).matcher(name).matches());
    }

    private static Pattern glob(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (String literal : pattern.splitWithDelimiters("\\*", 0)) {
            regex.append(literal.equals("*") ? ".*" : Pattern.quote(literal));
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }
}
