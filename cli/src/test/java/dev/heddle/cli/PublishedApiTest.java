package dev.heddle.cli;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the public API of every published module with the list in its {@code api.txt}, so that a change of the API
 * shows in review. Run with {@code -Dheddle.api=write} to write the lists again.
 */
class PublishedApiTest {

    private static final List<String> INTERNAL = List.of("dev.heddle.engine.", "dev.heddle.process.linux.",
            "dev.heddle.sql.");
    private static final Pattern QUALIFIER = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");

    @ParameterizedTest
    @CsvSource({"core, dev.heddle.pool.Pool", "store-sql, dev.heddle.sqlite.SqliteStore",
        "process, dev.heddle.process.Processes", "control, dev.heddle.control.Control",
        "server, dev.heddle.server.HeddleServer", "testkit, dev.heddle.testkit.ManualClock"})
    void isTheOneThatWasReviewed(String module, String entry) throws Exception {
        String found = String.join("\n", signatures(Class.forName(entry))) + "\n";
        Path list = Path.of("..", module, "api.txt");
        if (System.getProperty("heddle.api", "").equals("write")) {
            Files.writeString(list, found);
        }

        assertThat(found)
                .as("the public API of %s; if the change is meant, run this test with -Dheddle.api=write", module)
                .isEqualTo(Files.exists(list) ? Files.readString(list) : "");
    }

    private static List<String> signatures(Class<?> entry) throws IOException, URISyntaxException {
        List<String> lines = new ArrayList<>();
        for (String name : classNames(entry.getProtectionDomain().getCodeSource().getLocation().toURI())) {
            Class<?> type = load(name, entry.getClassLoader());
            if (isPublic(type)) {
                lines.add(describe(type));
                members(type).sorted().distinct().forEach(member -> lines.add("    " + member));
            }
        }
        return lines;
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> classNames(URI location) throws IOException {
        Path path = Path.of(location);
        if (Files.isDirectory(path)) {
            return classNames(path);
        }
        try (FileSystem jar = FileSystems.newFileSystem(path, Map.of())) {
            return classNames(jar.getPath("/"));
        }
    }

    private static List<String> classNames(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString()).filter(file -> file.endsWith(".class"))
                    .filter(file -> file.startsWith("dev") && !file.endsWith("package-info.class"))
                    .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> INTERNAL.stream().noneMatch(name::startsWith)).sorted().toList();
        }
    }

    private static boolean isPublic(Class<?> type) {
        return !type.isSynthetic() && !type.isAnonymousClass() && Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
    }

    private static String describe(Class<?> type) {
        String kind = type.isRecord() ? "record" : type.isEnum() ? "enum"
                : type.isAnnotation() ? "annotation" : type.isInterface() ? "interface" : "class";
        String modifiers = (type.isSealed() ? "sealed " : "")
                + (Modifier.isAbstract(type.getModifiers()) && kind.equals("class") ? "abstract " : "");
        String parents = Stream
                .concat(Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .filter(parent -> !parent.equals(Object.class) && !parent.equals(Record.class))
                .map(PublishedApiTest::name).collect(Collectors.joining(", "));
        return modifiers + kind + " " + type.getName().replace('$', '.') + (parents.isEmpty() ? "" : " : " + parents);
    }

    private static Stream<String> members(Class<?> type) {
        Stream<String> fields = Arrays.stream(type.getDeclaredFields()).filter(field -> isVisible(field.getModifiers()))
                .filter(field -> !field.isSynthetic()).map(PublishedApiTest::describe);
        Stream<String> constructors = Arrays.stream(type.getDeclaredConstructors())
                .filter(made -> isVisible(made.getModifiers()) && !made.isSynthetic()).map(PublishedApiTest::describe);
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isVisible(method.getModifiers()) && !method.isSynthetic() && !method.isBridge())
                .map(PublishedApiTest::describe);
        return Stream.of(fields, constructors, methods).flatMap(all -> all);
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String describe(Field field) {
        return (Modifier.isStatic(field.getModifiers()) ? "static " : "") + name(field.getGenericType()) + " "
                + field.getName();
    }

    private static String describe(Constructor<?> made) {
        return "new" + parameters(made);
    }

    private static String describe(Method method) {
        String modifiers = Modifier.isStatic(method.getModifiers()) ? "static " : method.isDefault() ? "default " : "";
        return modifiers + name(method.getGenericReturnType()) + " " + method.getName() + parameters(method);
    }

    private static String parameters(Executable executable) {
        String thrown = Arrays.stream(executable.getGenericExceptionTypes()).map(PublishedApiTest::name)
                .collect(Collectors.joining(", "));
        return Arrays.stream(executable.getGenericParameterTypes()).map(PublishedApiTest::name)
                .collect(Collectors.joining(", ", "(", ")")) + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String name(Type type) {
        return QUALIFIER.matcher(type.getTypeName()).replaceAll("").replace('$', '.');
    }
}
