
# Finds what was typed before the cursor, without options.
function __heddle_words
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
        else if contains -- $word --home --config
            set skip yes
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Exactly these words were typed.
function __heddle_at
    test (string join ' ' -- (__heddle_words)) = "$argv"
end

# The words that were typed start with these.
function __heddle_in
    set -l words (__heddle_words)
    test (count $words) -ge (count $argv); and test "$words[1..(count $argv)]" = "$argv"
end

# Calls heddle on the home that was typed, and prints what it lists.
function __heddle_list
    set -l place
    set -l words (commandline -opc)
    for i in (seq 2 (count $words))
        if contains -- $words[$i] --home --config
            set -a place $words[$i] $words[(math $i + 1)]
        end
    end
    heddle $place $argv 2>/dev/null
end

# The types that the running node knows.
function __heddle_types
    __heddle_list stats -o jsonl | string match -r '"types":\[[^]]*\]' | string match -ra '"[^"]+"(?!:)' | string trim -c '"'
end

complete -c heddle -f
