/** Name and keywords of each, six to a line; drawn by the system, so no font is loaded. */
const source = {
  people: `
😀 grinning happy; 😃 smiley smiling_open_mouth happy; 😄 smile smiling_open_mouth_smiling_eyes happy; 😁 grin grinning_smiling_eyes; 😆 laughing smiling_open_mouth_tightly_closed_eyes; 😅 sweat_smile smiling_open_mouth_cold_sweat relief
🤣 rofl rolling_on_floor_laughing laugh lol; 😂 joy tears_joy laugh lol; 🙂 slight_smile slightly_smiling; 🙃 upside_down; 🫠 melting; 😉 wink winking
😊 blush smiling_smiling_eyes; 😇 angel smiling_halo innocent; 🥰 in_love smiling_smiling_eyes_three_hearts hearts; 😍 heart_eyes smiling_heart_shaped_eyes love; 🤩 grinning_star_eyes; 😘 kiss throwing_kiss
😗 kissing; 😚 kissing_closed_eyes; 😙 kissing_smiling_eyes; 🥲 smiling_tear; 😋 savouring_delicious_food; 😛 stuck_out_tongue
😜 stuck_out_tongue_winking_eye; 🤪 grinning_one_large_one_small_eye; 😝 stuck_out_tongue_tightly_closed_eyes; 🤑 money_mouth; 🤗 hugging; 🤭 smiling_smiling_eyes_hand_covering_mouth
🫢 open_eyes_hand_over_mouth; 🫣 peeking_eye; 🤫 finger_covering_closed_lips; 🤔 thinking hmm; 🫡 salute saluting; 🤐 zipper_mouth
🤨 one_eyebrow_raised; 😐 neutral; 😑 expressionless; 😶 without_mouth; 😏 smirking; 😒 unamused
🙄 eye_roll rolling_eyes; 😬 grimace grimacing awkward; 🤥 lying; 😌 relieved; 😔 pensive; 😪 sleepy
🤤 drooling; 😴 sleeping tired; 😷 medical_mask; 🤒 thermometer; 🤕 head_bandage; 🤢 nauseated
🤮 open_mouth_vomiting; 🤧 sneezing; 🥵 overheated; 🥶 freezing; 🥴 uneven_eyes_wavy_mouth; 😵 dizzy
🤯 mind_blown shocked_exploding_head; 🤠 cowboy_hat; 🥳 party_face party_horn_party_hat celebrate; 🥸 disguised; 😎 cool smiling_sunglasses sunglasses; 🤓 nerd
🧐 monocle; 😕 confused; 😟 worried; 🙁 slightly_frowning; 😮 open_mouth wow; 😯 hushed
😲 astonished; 😳 flushed; 🥺 pleading pleading_eyes; 🥹 holding_back_tears; 😦 frowning_open_mouth; 😧 anguished
😨 fearful; 😰 open_mouth_cold_sweat; 😥 disappointed_but_relieved; 😢 cry crying sad; 😭 sob loudly_crying cry; 😱 scream screaming_in_fear
😖 confounded; 😣 persevering; 😞 disappointed; 😓 cold_sweat; 😩 weary; 😫 tired
🥱 yawning; 😤 look_triumph; 😡 rage pouting angry; 😠 angry; 🤬 serious_symbols_covering_mouth; 😈 smiling_horns
👿 imp; 💀 skull dead; 💩 poop pile_poo; 🤡 clown; 👹 japanese_ogre; 👻 ghost
👽 extraterrestrial_alien; 🤖 robot; 😺 smiling_cat_open_mouth; 😸 grinning_cat_smiling_eyes; 😹 cat_tears_joy; 😻 smiling_cat_heart_shaped_eyes
😼 cat_wry_smile; 🙀 weary_cat; 😿 crying_cat; 😾 pouting_cat; 🙈 see_no_evil see_no_evil_monkey; 🙉 hear_no_evil_monkey
🙊 speak_no_evil_monkey; 👋 wave waving_hand hello bye; 🤚 raised_back_hand; ✋ raised_hand; 🖖 raised_hand_part_between_middle_ring_fingers; 🫱 rightwards_hand
🫲 leftwards_hand; 👌 ok_hand perfect; 🤌 pinched_fingers; 🤏 pinching_hand; 🤞 hand_index_middle_fingers_crossed; 🫰 hand_index_finger_thumb_crossed
🤟 i_love_you_hand; 🤘 horns; 🤙 call_me_hand; 👈 left_pointing_backhand_index; 👉 right_pointing_backhand_index; 👆 up_pointing_backhand_index
👇 down_pointing_backhand_index; 👍 thumbsup thumbs_up +1 yes like good; 👎 thumbsdown thumbs_down -1 no dislike bad; ✊ raised_fist; 👊 fisted_hand; 🤛 left_facing_fist
🤜 right_facing_fist; 👏 clap clapping_hands applause; 🙌 raised_hands raising_both_hands_in_celebration hooray; 🫶 heart_hands; 👐 open_hands; 🤲 palms_up_together
🤝 handshake deal; 🙏 pray folded_hands thanks please; 💅 nail_polish; 🤳 selfie; 💪 muscle flexed_biceps strong; 🦾 mechanical_arm
👂 ear; 👃 nose; 🧠 brain; 👀 eyes look; 👅 tongue; 👄 mouth
🫦 biting_lip; 👶 baby; 🧒 child; 👦 boy; 👧 girl; 🧑 adult
👨 man; 👩 woman; 🧓 older_adult; 👴 older_man; 👵 older_woman; 🙍 frowning
🙎 pouting; 🙅 no_good_gesture; 🙆 ok_gesture; 💁 information_desk; 🙋 happy_raising_one_hand; 🧏 deaf
🙇 bowing_deeply; 🤦 facepalm palm; 🤷 shrug whatever; 👮 police_officer; 🕵️ sleuth_or_spy; 💂 guardsman
🥷 ninja; 👷 construction_worker; 🤴 prince; 👸 princess; 🤵 man_in_tuxedo; 👰 bride_veil
🎅 father_christmas; 🦸 superhero; 🦹 supervillain; 🧙 mage; 🧚 fairy; 🧛 vampire
🧜 merperson; 🧝 elf; 🧟 zombie; 💃 dancer; 🕺 man_dancing; 🚶 pedestrian
🏃 runner; 🧘 in_lotus_position; 🛀 bath; 👪 family; 👣 footprints
`,
  nature: `
🐵 monkey; 🐒 monkey; 🦍 gorilla; 🐶 dog; 🐕 dog; 🐩 poodle
🐺 wolf; 🦊 fox; 🦝 raccoon; 🐱 cat; 🐈 cat; 🦁 lion
🐯 tiger; 🐴 horse; 🦄 unicorn; 🦓 zebra; 🦌 deer; 🐮 cow
🐷 pig; 🐑 sheep; 🐐 goat; 🐪 dromedary_camel; 🦙 llama; 🦒 giraffe
🐘 elephant; 🦏 rhinoceros; 🐭 mouse; 🐹 hamster; 🐰 rabbit; 🐿️ chipmunk
🦔 hedgehog; 🦇 bat; 🐻 bear; 🐨 koala; 🐼 panda; 🦥 sloth
🦦 otter; 🦘 kangaroo; 🦃 turkey; 🐔 chicken; 🐣 hatching_chick; 🐤 baby_chick
🐦 bird; 🐧 penguin; 🦅 eagle; 🦆 duck; 🦢 swan; 🦉 owl
🦩 flamingo; 🦜 parrot; 🐸 frog; 🐊 crocodile; 🐢 turtle; 🦎 lizard
🐍 snake; 🐲 dragon; 🦕 sauropod; 🦖 t_rex; 🐳 spouting_whale; 🐬 dolphin
🦭 seal; 🐟 fish; 🐠 tropical_fish; 🐡 blowfish; 🦈 shark; 🐙 octopus
🐚 spiral_shell; 🐌 snail; 🦋 butterfly; 🐛 bug; 🐜 ant; 🐝 honeybee
🐞 lady_beetle; 🦗 cricket; 🕷️ spider; 🦂 scorpion; 🌸 cherry_blossom; 🌹 rose
🌺 hibiscus; 🌻 sunflower; 🌼 blossom; 🌷 tulip; 🌱 seedling; 🌲 evergreen_tree
🌳 deciduous_tree; 🌴 palm_tree; 🌵 cactus; 🌾 ear_rice; 🌿 herb; 🍀 four_leaf_clover
🍁 maple_leaf; 🍂 fallen_leaf; 🍃 leaf_fluttering_in_wind; 🍄 mushroom; 🌍 earth earth_globe_europe_africa world; 🌙 crescent_moon
🌞 sun; ⭐ star medium_star; 🌟 glowing_star; ✨ sparkles shiny; ⚡ high_voltage; 🔥 fire hot lit
💧 droplet; 🌊 water_wave; 🌈 rainbow; ⛅ sun_behind_cloud; ❄️ snowflake; ⛄ snowman_without_snow
💨 dash
`,
  food: `
🍇 grapes; 🍈 melon; 🍉 watermelon; 🍊 tangerine; 🍋 lemon; 🍌 banana
🍍 pineapple; 🥭 mango; 🍎 red_apple; 🍐 pear; 🍑 peach; 🍒 cherries
🍓 strawberry; 🫐 blueberries; 🥝 kiwifruit; 🍅 tomato; 🥥 coconut; 🥑 avocado
🍆 aubergine; 🥔 potato; 🥕 carrot; 🌽 ear_maize; 🌶️ hot_pepper; 🥒 cucumber
🥦 broccoli; 🧄 garlic; 🧅 onion; 🥜 peanuts; 🍞 bread; 🥐 croissant
🥖 baguette_bread; 🥨 pretzel; 🧀 cheese_wedge; 🥚 egg; 🍳 cooking; 🥓 bacon
🥩 cut_meat; 🍗 poultry_leg; 🍔 hamburger; 🍟 french_fries; 🍕 pizza slice_pizza; 🌭 hot_dog
🥪 sandwich; 🌮 taco; 🌯 burrito; 🥗 green_salad; 🍿 popcorn; 🍱 bento_box
🍘 rice_cracker; 🍙 rice_ball; 🍚 cooked_rice; 🍛 curry_rice; 🍜 steaming_bowl; 🍝 spaghetti
🍣 sushi; 🍤 fried_shrimp; 🥟 dumpling; 🍦 soft_ice_cream; 🍧 shaved_ice; 🍩 doughnut
🍪 cookie; 🎂 cake birthday_cake birthday; 🍰 shortcake; 🧁 cupcake; 🍫 chocolate_bar; 🍬 candy
🍭 lollipop; 🍯 honey_pot; 🥛 glass_milk; ☕ coffee hot_beverage tea; 🫖 teapot; 🍵 teacup_without_handle
🍷 wine_glass; 🍸 cocktail_glass; 🍹 tropical_drink; 🍺 beer beer_mug; 🍻 clinking_beer_mugs; 🥂 clinking_glasses
🥃 tumbler_glass; 🧊 ice_cube; 🍽️ fork_knife_plate
`,
  activity: `
⚽ soccer_ball; 🏀 basketball_hoop; 🏈 american_football; ⚾ baseball; 🎾 tennis_racquet_ball; 🏐 volleyball
🏉 rugby_football; 🎱 billiards; 🏓 table_tennis_paddle_ball; 🏸 badminton_racquet_shuttlecock; 🥅 goal_net; ⛳ flag_in_hole
🏹 bow_arrow; 🎣 fishing_pole_fish; 🥊 boxing_glove; 🥋 martial_arts_uniform; 🎽 running_shirt_sash; 🛹 skateboard
⛸️ ice_skate; 🎿 ski_ski_boot; 🏆 trophy; 🥇 first_place_medal; 🥈 second_place_medal; 🥉 third_place_medal
🏅 sports_medal; 🎖️ military_medal; 🎗️ reminder_ribbon; 🎫 ticket; 🎪 circus_tent; 🎭 performing_arts
🎨 artist_palette; 🎬 clapper_board; 🎤 microphone; 🎧 headphone; 🎼 musical_score; 🎹 musical_keyboard
🥁 drum_drumsticks; 🎷 saxophone; 🎺 trumpet; 🎸 guitar; 🎻 violin; 🎲 game_die
🎯 direct_hit; 🎳 bowling; 🎮 video_game; 🧩 jigsaw_puzzle_piece; 🎃 halloween jack_o_lantern pumpkin; 🎄 christmas christmas_tree tree
🎆 fireworks; 🎇 firework_sparkler; 🎈 balloon; 🎉 tada party_popper party celebrate; 🎊 confetti_ball; 🎁 gift wrapped_present present
🎀 ribbon; 🪄 magic_wand
`,
  travel: `
🚗 automobile; 🚕 taxi; 🚌 bus; 🏎️ racing_car; 🚓 police_car; 🚑 ambulance
🚒 fire_engine; 🚚 delivery_truck; 🚜 tractor; 🏍️ racing_motorcycle; 🛵 motor_scooter; 🚲 bicycle
🛴 scooter; 🚨 police_cars_revolving_light; 🚂 steam_locomotive; 🚄 high_speed_train; 🚇 metro; 🚉 station
✈️ airplane flight; 🛫 airplane_departure; 🛬 airplane_arriving; 🚀 rocket ship launch; 🛸 flying_saucer; 🚁 helicopter
⛵ sailboat; 🚤 speedboat; 🚢 ship; ⚓ anchor; 🚧 construction; 🚦 vertical_traffic_light
🗺️ world_map; 🗽 statue_liberty; 🗼 tokyo_tower; 🏰 european_castle; 🎡 ferris_wheel; 🎢 roller_coaster
🏖️ beach_umbrella; 🏝️ desert_island; 🏔️ snow_capped_mountain; 🌋 volcano; 🏕️ camping; 🏠 house house_building home
🏡 house_garden; 🏢 office_building; 🏥 hospital; 🏫 school; 🏭 factory; ⛪ church
🕌 mosque; ⛩️ shinto_shrine; 🌁 foggy; 🌃 night_stars; 🌄 sunrise_over_mountains; 🌅 sunrise
🌆 cityscape_at_dusk; 🌉 bridge_at_night
`,
  objects: `
⌚ watch; 📱 mobile_phone; 💻 laptop personal_computer computer; ⌨️ keyboard; 🖥️ desktop_computer; 🖨️ printer
🖱️ three_button_mouse; 💾 floppy_disk; 💿 optical_disc; 📷 camera; 📹 video_camera; 🎥 movie_camera
📞 telephone_receiver; 📺 television; 📻 radio; ⏰ alarm_clock; ⏳ hourglass_flowing_sand; 🔋 battery
🔌 electric_plug; 💡 bulb electric_light_bulb idea; 🔦 electric_torch; 🕯️ candle; 💸 money_wings; 💵 banknote_dollar
💳 credit_card; 💎 gem_stone; 🔧 wrench; 🔨 hammer; 🔩 nut_bolt; ⚙️ gear
🧱 brick; 🧲 magnet; 💣 bomb; 🔪 hocho; 🛡️ shield; 🔮 crystal_ball
🧪 test_tube; 🔬 microscope; 🔭 telescope; 💊 pill; 💉 syringe; 🧬 dna_double_helix
🌡️ thermometer; 🧹 broom; 🧺 basket; 🧻 roll_paper; 🚽 toilet; 🚿 shower
🛏️ bed; 🛋️ couch_lamp; 🚪 door; 🔑 key; 🧸 teddy_bear; 🖼️ frame_picture
🛍️ shopping_bags; 🛒 shopping_trolley; 📩 envelope_downwards_arrow_above; 📧 e_mail; 📦 package; 📮 postbox
📜 scroll; 📄 page_facing_up; 📊 bar_chart; 📈 chart_upwards_trend; 📉 chart_downwards_trend; 📅 calendar date
📋 clipboard; 📁 file_folder; 📰 newspaper; 📚 books; 📖 open_book; 🔖 bookmark
📎 paperclip; 📌 pushpin; 📍 round_pushpin; ✂️ scissors; 📝 memo note; ✏️ pencil
🔍 left_pointing_magnifying_glass; 🔒 lock; 🔓 open_lock; 👓 eyeglasses; 🕶️ dark_sunglasses; 👔 necktie
👕 t_shirt; 👖 jeans; 🧣 scarf; 🧥 coat; 👗 dress; 👟 athletic_shoe
👠 high_heeled_shoe; 👑 crown; 🎩 top_hat; 🎓 graduation_cap; 🎒 school_satchel; 👜 handbag
💼 briefcase; ☂️ umbrella rain
`,
  symbols: `
❤️ heart love; 🧡 orange_heart; 💛 yellow_heart; 💚 green_heart; 💙 blue_heart; 💜 purple_heart
🖤 heart; 🤍 heart; 🤎 brown_heart; 💔 broken_heart; 💕 two_hearts; 💞 revolving_hearts
💓 beating_heart; 💗 growing_heart; 💖 sparkling_heart; 💘 heart_arrow; 💝 heart_ribbon; 💟 heart_decoration
💋 kiss_mark; 💯 hundred hundred_points; 💢 anger; 💥 collision; 💫 dizzy; 💦 splashing_sweat
💬 speech_balloon; 💭 thought_balloon; 💤 sleeping; ✅ check check_mark done; ❌ x cross_mark cross no; ❓ question question_mark_ornament
❗ exclamation exclamation_mark; ⚠️ warning; 🚫 no_entry; ⛔ no_entry; ♻️ recycle universal_recycling; 🔄 anticlockwise_downwards_upwards_open_circle_arrows
➕ plus; ➖ minus; ✔️ tick check_mark; 🔔 bell; 🔕 bell_cancellation_stroke; 🎵 music musical_note note
🎶 multiple_musical_notes; 🆗 squared_ok; 🆕 squared_new; 🆒 squared_cool; 🆓 squared_free; 🔝 top_upwards_arrow_above
🔜 soon_rightwards_arrow_above; 🔴 large_red_circle; 🟠 large_orange_circle; 🟡 large_yellow_circle; 🟢 large_green_circle; 🔵 large_blue_circle
🟣 large_purple_circle; ⚫ medium_circle; ⚪ medium_circle; 🏁 chequered_flag; 🚩 triangular_flag_on_post; 🏳️ waving_flag
🏴 waving_flag; ♀️ female; ♂️ male; ⚕️ staff_aesculapius; 🔺 up_pointing_red_triangle; 🔻 down_pointing_red_triangle
`,
} as const;

export type EmojiGroup = keyof typeof source;
export type Emoji = { char: string; name: string; words: readonly string[] };

const parse = (line: string): Emoji => {
  const [char = '', name = '', ...more] = line.split(' ');
  return { char, name, words: [name, ...name.split('_'), ...more] };
};

export const emojiGroups = Object.entries(source).map(([group, lines]) => ({
  group: group as EmojiGroup,
  emojis: lines
    .trim()
    .split(/;\s|\n/)
    .map(parse),
}));

const all = emojiGroups.flatMap(({ emojis }) => emojis);

/** Those whose name or a keyword begins as asked; names before keywords, shorter before longer. */
export const findEmojis = (query: string, most: number): readonly Emoji[] => {
  const sought = query.toLowerCase();
  const rank = ({ name, words }: Emoji): number => {
    if (name === sought || words.includes(sought)) return 0;
    return name.startsWith(sought) ? 1 : 2;
  };
  return all
    .filter(({ words }) => words.some((word) => word.startsWith(sought)))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.length - b.name.length)
    .slice(0, most);
};
