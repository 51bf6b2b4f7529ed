package dev.heddle.process;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Decides which environment variables a process gets: those of the node that do not look like secrets, those that its
 * job type sets, and those by which Heddle informs it. Immutable; each method returns a changed copy.
 *
 * <p>Patterns are not case-sensitive, and {@code *} matches any characters. A variable that matches an allowed pattern
 * passes even if it matches a secret pattern. A value that is a URL with a password is a secret whatever its name. A
 * variable that a job type sets explicitly always passes.
 *
 * @param prefix the prefix of Heddle's own variables
 * @param secrets patterns of names that are held back
 * @param allowed patterns of names that pass even if they look like secrets
 */
public record EnvironmentRules(String prefix, Set<String> secrets, Set<String> allowed) {

    /** The default patterns of secrets. */
    public static final List<String> SECRETS = List.of("*KEY*", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*",
            "*TOKEN*", "*CREDENTIAL*", "*PRIVATE*", "*_AUTH", "*_PAT", "PGPASS*", "*_DSN", "*CONNECTION_STRING*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern URL_WITH_PASSWORD = Pattern.compile("\\w+://[^/@\\s]*:[^/@\\s]+@.*", Pattern.DOTALL);

    /** Copies the sets and checks the prefix. */
    public EnvironmentRules {
        secrets = Set.copyOf(secrets);
        allowed = Set.copyOf(allowed);
        if (!NAME.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "the prefix of environment variables must consist of letters, digits and _,"
                            + " and must not start with a digit: '" + prefix + "'");
        }
    }

    /** Returns the default rules: the prefix {@code HEDDLE}, the default secrets, and nothing allowed. */
    public static EnvironmentRules standard() {
        return new EnvironmentRules(EnvironmentVariable.PREFIX, Set.copyOf(SECRETS), Set.of());
    }

    /** Changes the prefix of Heddle's own variables. */
    public EnvironmentRules prefix(String newPrefix) {
        return new EnvironmentRules(newPrefix, secrets, allowed);
    }

    /** Replaces the patterns of secrets. */
    public EnvironmentRules secrets(Collection<String> patterns) {
        return new EnvironmentRules(prefix, Set.copyOf(patterns), allowed);
    }

    /** Adds patterns of variables to let through. */
    public EnvironmentRules allowing(Collection<String> patterns) {
        Set<String> both = new LinkedHashSet<>(allowed);
        both.addAll(patterns);
        return new EnvironmentRules(prefix, secrets, both);
    }

    /**
     * Returns the environment of a process.
     *
     * @param inherited the environment of the node
     * @param own the variables by which Heddle informs the process; they override all others
     * @param set the variables that the job type sets; they override inherited ones
     */
    public Map<String, String> environment(Map<String, String> inherited, Map<EnvironmentVariable, String> own,
            Map<String, String> set) {
        Map<String, String> environment = new TreeMap<>();
        inherited.forEach((name, value) -> {
            if (passes(name, value)) {
                environment.put(name, value);
            }
        });
        environment.putAll(set);
        own.forEach((variable, value) -> environment.put(variable.under(prefix), value));
        return environment;
    }

    boolean passes(String name, String value) {
        if (matches(allowed, name)) {
            return true;
        }
        return !matches(secrets, name) && !URL_WITH_PASSWORD.matcher(value).matches();
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
